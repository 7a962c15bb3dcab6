import * as z from "zod";
import { refuseValue, Uuid } from "./common.ts";

export function distinctUuids(min: number, max: number) {
  return z
    .array(Uuid)
    .min(min)
    .max(max)
    .superRefine((ids, context) => {
      const error = "each id may be given once";
      for (const [index, id] of ids.entries()) {
        if (ids.indexOf(id) === index) continue;
        refuseValue(context, error, [index]);
      }
    })
    .meta({ uniqueItems: true, says: ["Each id is given once, whatever the case of its letters."] });
}
