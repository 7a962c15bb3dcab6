import { hrefOf } from "../shell/place.ts";
import { usePlace } from "../shell/router.ts";

interface TabsProps {
  readonly label: string;
  /** The first one is shown where the address names none. */
  readonly tabs: readonly (readonly [view: string, title: string])[];
}

/** Views of one page, each with an address of its own. */
export function Tabs({ label, tabs }: TabsProps) {
  const { section, item } = usePlace();
  const view = useView(tabs);
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.map(([each, title], at) => (
        <a
          key={each}
          href={hrefOf(section, item, { view: at === 0 ? undefined : each })}
          aria-current={each === view ? "page" : undefined}
        >
          {title}
        </a>
      ))}
    </nav>
  );
}

export function useView(tabs: TabsProps["tabs"]): string | undefined {
  const { query } = usePlace();
  return (tabs.find(([each]) => each === query.view) ?? tabs[0])?.[0];
}
