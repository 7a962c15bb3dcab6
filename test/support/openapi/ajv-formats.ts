import type { Ajv } from "ajv";
import ajvFormats from "ajv-formats";

/** Checks `uuid`, `date-time`, `uri` and the like; the package's own typings fit CommonJS alone. */
export function addFormats<A extends Pick<Ajv, "addFormat">>(ajv: A): A {
  (ajvFormats as unknown as (target: A) => void)(ajv);
  return ajv;
}
