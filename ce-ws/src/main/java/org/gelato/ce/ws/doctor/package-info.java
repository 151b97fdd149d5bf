/** A bundle of what helps to find out why a CE does not work, without secrets. Reads everything and changes nothing. */
package org.gelato.ce.ws.doctor;
