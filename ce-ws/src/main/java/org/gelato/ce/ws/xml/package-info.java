/** XML of clients that are not authorized: the limits it is read under, and texts that may stand in it. Nothing here knows a document. */
package org.gelato.ce.ws.xml;
