import type { Answer, DesktopRequest } from "../desktop.ts";

export interface Route {
  readonly method: "GET" | "POST";
  readonly path: string;
  handle(request: DesktopRequest): Promise<Answer>;
}
