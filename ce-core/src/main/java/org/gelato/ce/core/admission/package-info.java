/** Whether a new job may come in now, and why not. */
package org.gelato.ce.core.admission;
