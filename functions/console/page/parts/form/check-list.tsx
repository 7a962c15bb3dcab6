import type { ComponentChildren } from "preact";
import { Check } from "./check.tsx";

interface CheckListProps<Item extends string> {
  readonly legend: string;
  readonly items: readonly Item[];
  readonly chosen: readonly Item[];
  readonly onChoose: (chosen: readonly Item[]) => void;
  /** What is shown of an item. */
  readonly children: (item: Item) => ComponentChildren;
}

/** Any number of a list's items. */
export function CheckList<Item extends string>(props: CheckListProps<Item>) {
  const { legend, items, chosen, onChoose, children } = props;
  return (
    <fieldset>
      <legend>{legend}</legend>
      {items.map((item) => (
        <Check
          key={item}
          isChecked={chosen.includes(item)}
          onCheck={(isNow) => onChoose(isNow ? [...chosen, item] : chosen.filter((each) => each !== item))}
        >
          {children(item)}
        </Check>
      ))}
    </fieldset>
  );
}
