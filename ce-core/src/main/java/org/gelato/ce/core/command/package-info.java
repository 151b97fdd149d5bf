/** The durable command queue: claim, per-job order, execution, promotion of the next command. */
package org.gelato.ce.core.command;
