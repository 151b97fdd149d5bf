/** The durable command queue: claim, order per job, hand-over to the batch system, throttle. */
package org.gelato.ce.core.command;
