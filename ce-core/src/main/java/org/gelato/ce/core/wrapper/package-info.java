/** The script that runs on the worker node, its values quoted, and the secret it reports with. */
package org.gelato.ce.core.wrapper;
