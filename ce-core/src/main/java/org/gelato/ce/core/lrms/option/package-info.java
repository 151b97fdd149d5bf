/** What a job requests, in the terms that the options of batch systems share; their names are each module's. */
package org.gelato.ce.core.lrms.option;
