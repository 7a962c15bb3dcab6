import * as z from "zod";

const entityTag = '(?:W/)?"[!#-~]*"';

/**
 * `*`, or entity tags of which one has to be the resource's, as a recipient has to take them: with empty elements.
 *
 * Source: https://www.rfc-editor.org/rfc/rfc9110.html#name-if-match
 */
export const ifMatchPattern = `^(?:\\*|${entityTag}(?:[ \\t]*,[ \\t,]*${entityTag}){0,19})$`;

export const ifMatchHeaders = z.object({
  "If-Match": z
    .string()
    .regex(
      new RegExp(ifMatchPattern),
      'String should be an ETag with its quotes, such as "3", or several, or *',
    )
    .optional(),
});
