import { setQuery, usePlace } from "../../shell/router.ts";
import { Button } from "../button.tsx";

/** Rows of one page of a list. */
export const pageSize = 50;

/** The page of a list is in the address as `skip`. */
export function useSkip(): number {
  const skip = Number(usePlace().query.skip ?? 0);
  return Number.isInteger(skip) && skip > 0 ? skip : 0;
}

interface PagerProps {
  readonly skip: number;
  readonly shown: number;
  readonly total: number;
  /** Rows of one page, as the list was asked for. @default pageSize */
  readonly size?: number;
  /** @default newest first */
  readonly words?: readonly [back: string, on: string];
}

export function Pager(props: PagerProps) {
  const { skip, shown, total, size = pageSize, words: [back, on] = ["Newer", "Older"] } = props;
  if (total <= size && skip === 0) return null;
  const goTo = (to: number) => setQuery({ skip: to <= 0 ? undefined : String(to) });
  return (
    <nav class="pager" aria-label="Pages">
      <Button text={back} disabled={skip === 0} onClick={() => goTo(skip - size)} />
      <span>
        {shown === 0 ? 0 : skip + 1}–{skip + shown} of {total}
      </span>
      <Button text={on} disabled={skip + shown >= total} onClick={() => goTo(skip + size)} />
    </nav>
  );
}
