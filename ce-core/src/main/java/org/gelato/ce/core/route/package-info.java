/** A site's routes: which jobs get which settings of the batch system, defaults and limits (docs/admin/routes.md). */
package org.gelato.ce.core.route;
