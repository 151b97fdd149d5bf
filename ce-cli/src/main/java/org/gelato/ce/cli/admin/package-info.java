/** Questions of administrators to a CE, and what its logs and usage records say. */
package org.gelato.ce.cli.admin;
