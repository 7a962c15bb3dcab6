import { v7 } from "uuid";
import type { Ids } from "../domain/clock.ts";

export const systemIds: Ids = { uuid7: () => v7() };
