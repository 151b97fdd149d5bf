/** The CE as a WAR in a Tomcat that is not ours. */
package org.gelato.ce.it.war;
