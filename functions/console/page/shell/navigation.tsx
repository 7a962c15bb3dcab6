import type { CallerFacts } from "../../../../shared/contract/api-key.ts";
import { hrefOf } from "./place.ts";
import { usePlace } from "./router.ts";
import { sections } from "./sections.ts";

export function Navigation({ caller }: { readonly caller: CallerFacts }) {
  const { section } = usePlace();
  const shown = sections.filter(
    ({ isOf, needs = "read" }) => isOf === undefined && caller.scopes.includes(needs),
  );
  const current = sections.find(({ path }) => path === section)?.isOf ?? section;
  return (
    <nav class="navigation" aria-label="Sections">
      <ul>
        {shown.map(({ path, title, group }) => (
          <li key={path} class={group === undefined ? undefined : "navigation-group"}>
            {group === undefined ? null : <small aria-hidden="true">{group}</small>}
            <a href={hrefOf(path)} aria-current={path === current ? "page" : undefined}>
              {title}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
