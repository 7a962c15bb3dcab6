import type { operationOfAction } from "../../../../shared/contract/computer/actions.ts";

export type MouseButton = "left" | "middle" | "right";

/** An action with the names of the wire, as `performBatch` takes it; `type` says which. */
export type DesktopAction =
  | {
      readonly type: "click";
      readonly x: number;
      readonly y: number;
      readonly button: MouseButton;
      readonly clicks: number;
    }
  | {
      readonly type: "drag";
      readonly start_x: number;
      readonly start_y: number;
      readonly to_x: number;
      readonly to_y: number;
      readonly duration: number;
      readonly button: MouseButton;
    }
  | {
      readonly type: "scroll";
      readonly x: number;
      readonly y: number;
      readonly direction: "up" | "down" | "left" | "right";
      readonly amount: number;
    }
  /** Further fields, such as `as_input`, are sent with the text. */
  | { readonly type: "type"; readonly text: string; readonly [field: string]: unknown }
  | { readonly type: "key"; readonly text: string }
  | { readonly type: "copy_to_clipboard"; readonly text: string }
  | { readonly type: "open"; readonly program: string };

/** Not imported, since the contract would bring its schemas into the page; its type is. */
export const operationOf = {
  click: "clickMouse",
  drag: "dragMouse",
  scroll: "scrollMouse",
  type: "typeText",
  key: "pressKeys",
  copy_to_clipboard: "copyToClipboard",
  open: "openProgram",
} as const satisfies { readonly [Type in DesktopAction["type"]]: (typeof operationOfAction)[Type] };
