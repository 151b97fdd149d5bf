/** A CE before a site's own blahpd. */
package org.gelato.ce.it.blahp;
