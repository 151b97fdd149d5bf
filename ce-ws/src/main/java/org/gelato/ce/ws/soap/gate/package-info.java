/** What every SOAP request passes before Metro sees it: limits, caller, dispatch, and the faults that come of them. */
package org.gelato.ce.ws.soap.gate;
