/** `npm run bench -- --smoke`: each measurement once, small, which shows that it still runs and measures nothing. */
export const isSmoke = process.argv.includes("--smoke");

/** The usual amount of a measurement, or the small one with `--smoke`. */
export function sized<Amount>(usual: Amount, small: Amount): Amount {
  return isSmoke ? small : usual;
}
