/** The model of a job description, and the rules on its values that hold in every language. */
package org.gelato.ce.description;
