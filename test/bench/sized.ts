/** `npm run bench -- --smoke`: each measurement once, small, which shows that it still runs and measures nothing. */
const isSmoke = process.argv.includes("--smoke");

/** How much of something is measured, and how much with `--smoke`. */
export function sized<Amount>(usual: Amount, small: Amount): Amount {
  return isSmoke ? small : usual;
}
