/** The configuration: one record per component, read and validated once. */
package org.gelato.ce.ws.config;
