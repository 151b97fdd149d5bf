/** What every protocol needs of the service: the caller of a request, the services, where they are reached, and in which version. */
package org.gelato.ce.ws.web;
