/** What every protocol needs of the service: the caller of a request, the services, where they are reached, in which version; XML that is read safely. */
package org.gelato.ce.ws.web;
