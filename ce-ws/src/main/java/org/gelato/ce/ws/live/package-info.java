/** Messages and live output of running jobs for those who read them: pages as JSON, and Server-Sent Events (docs/user/live.md). */
package org.gelato.ce.ws.live;
