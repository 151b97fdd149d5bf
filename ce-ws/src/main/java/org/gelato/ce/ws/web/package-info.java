/** What every protocol needs of the service: the caller of a request, the services, and where they are reached. */
package org.gelato.ce.ws.web;
