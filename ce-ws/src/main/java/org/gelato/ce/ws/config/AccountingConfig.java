package org.gelato.ce.ws.config;

import java.time.Duration;
import org.gelato.ce.core.accounting.AccountingSettings;
import org.gelato.ce.core.identity.AccountingGroups;

/**
 * What jobs are accounted under, and how that is published.
 *
 * @param interval between two turns of publishing
 */
public record AccountingConfig(AccountingSettings settings, AccountingGroups groups, Duration interval) {}
