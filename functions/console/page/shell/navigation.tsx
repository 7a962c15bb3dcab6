import type { CallerFacts } from "../../../../shared/contract/api-key.ts";
import { hrefOf } from "./place.ts";
import { usePlace } from "./router.ts";
import { sections } from "./sections.ts";

export function Navigation({ caller }: { readonly caller: CallerFacts }) {
  const { section } = usePlace();
  const shown = sections.filter(
    ({ isInNavigation = true, needs = "read" }) => isInNavigation && caller.scopes.includes(needs),
  );
  return (
    <nav class="navigation" aria-label="Sections">
      <ul>
        {shown.map(({ path, title }) => (
          <li key={path}>
            <a href={hrefOf(path)} aria-current={path === section ? "page" : undefined}>
              {title}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
