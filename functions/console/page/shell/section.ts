import type { ComponentType } from "preact";
import type { Scope } from "../../../../shared/vocabulary/access.ts";

export interface ItemProps {
  /** The address's part behind the section. */
  readonly item: string;
}

/** A section of the console: what its folder registers. Its pages are loaded when they are opened. */
export interface Section {
  /** The address is `/console/<path>`. */
  readonly path: string;
  readonly title: string;
  /** The navigation shows it only to those who have the scope. @default "read" */
  readonly needs?: Scope;
  /** The section that leads to its pages, where it is not in the navigation itself. */
  readonly isOf?: string;
  /** The heading in the navigation that begins with it. */
  readonly group?: string;
  readonly list: () => Promise<ComponentType>;
  /** The page at `/console/<path>/<item>`. */
  readonly item?: () => Promise<ComponentType<ItemProps>>;
}
