/**
 * What the CE has to know of a kind of batch system besides its jobs: its keys, what the helper must allow, what a check checks and
 * what a setup finds. A module that has one implements {@link org.gelato.ce.core.lrms.type.LrmsType} (docs/developer/guides.md).
 */
package org.gelato.ce.core.lrms.type;
