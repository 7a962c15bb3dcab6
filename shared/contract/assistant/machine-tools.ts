import * as z from "zod";
import { machineStatuses } from "../../vocabulary/machines.ts";
import { Machine } from "../machine.ts";
import { defineTools } from "./tool.ts";
import { pageOfTool } from "./tool-page.ts";

const ShownMachine = Machine.pick({
  id: true,
  name: true,
  hostname: true,
  status: true,
  is_available: true,
}).extend({
  is_held: z.boolean().describe("Whether a person keeps others from acting on it."),
});

export const machineTools = defineTools({
  name: "list_machines",
  title: "List desktops",
  description:
    "Lists the desktops of the organization, newest first. Only a `connected` one can be looked at and acted on.",
  calls: ["listMachines"],
  effect: "reads",
  input: z.strictObject({
    search: z.string().min(1).max(255).optional().describe("Text in the id, name or hostname."),
    status: z.enum(machineStatuses).optional().describe("Only desktops with this status."),
    ...pageOfTool,
  }),
  output: z.object({
    machines: z.array(ShownMachine).describe("The desktops."),
    total: z.int().describe("Number of desktops that match."),
  }),
});
