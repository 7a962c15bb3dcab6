import { shownPromptCharactersMax } from "../../../shared/contract/assistant/workflow-tools.ts";
import type { ToolHandlers } from "../tool-handlers.ts";

export const workflowHandlers: ToolHandlers<"list_workflows"> = {
  list_workflows: async ({ api }, query) => {
    const page = await api.call("listWorkflows", { query });
    const workflows = page.items.map(({ id, name, main_prompt: prompt, input_schema, output_schema }) => {
      return {
        id,
        name,
        main_prompt: prompt.slice(0, shownPromptCharactersMax),
        input_schema,
        output_schema,
      };
    });
    return { structured: { workflows, total: page.total } };
  },
};
