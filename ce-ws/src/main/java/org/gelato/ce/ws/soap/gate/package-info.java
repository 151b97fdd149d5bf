/** What every SOAP request passes before Metro sees it: who calls, limits and permits, the meter. */
package org.gelato.ce.ws.soap.gate;
