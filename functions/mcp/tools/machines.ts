import type { ToolHandlers } from "../tool-handlers.ts";

export const machineHandlers: ToolHandlers<"list_machines"> = {
  list_machines: async ({ api }, query) => {
    const page = await api.call("listMachines", { query });
    const machines = page.items.map(({ id, name, hostname, status, is_available, held }) => {
      return { id, name, hostname, status, is_available, is_held: held !== null };
    });
    return { structured: { machines, total: page.total } };
  },
};
