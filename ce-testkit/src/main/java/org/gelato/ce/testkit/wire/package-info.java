/** HTTP as it is on the wire: clients that show and time every byte, where a library would hide or repeat some. */
package org.gelato.ce.testkit.wire;
