import { createStore, useStore } from "../shell/store.ts";
import { nowFor, relativeTime } from "./time-words.ts";

/** All times of the page move together. */
const now = createStore(Date.now());
setInterval(() => {
  if (document.visibilityState === "visible") now.set(Date.now());
}, 5_000);

/** The exact time is in its title. `null` is shown as a dash. */
export function RelativeTime({ at }: { readonly at: string | null | undefined }) {
  const shown = useStore(now);
  if (at === null || at === undefined) return <span>–</span>;
  const date = new Date(at);
  return (
    <time dateTime={at} title={date.toLocaleString()}>
      {relativeTime(date.getTime(), nowFor(date.getTime(), Math.max(shown, Date.now() - 5_000), Date.now()))}
    </time>
  );
}
