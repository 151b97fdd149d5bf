/** The files of jobs over HTTPS, against a real CE. */
package org.gelato.ce.it.sandbox;
