/** HTTPS calls with a proxy as client certificate. */
package org.gelato.ce.cli.http;
