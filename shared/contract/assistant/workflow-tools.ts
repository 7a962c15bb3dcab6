import * as z from "zod";
import { Workflow } from "../workflow.ts";
import { defineTools } from "./tool.ts";
import { pageOfTool } from "./tool-page.ts";

export const shownPromptCharactersMax = 500;

const ShownWorkflow = Workflow.pick({
  id: true,
  name: true,
  main_prompt: true,
  input_schema: true,
  output_schema: true,
});

export const workflowTools = defineTools({
  name: "list_workflows",
  title: "List workflows",
  description: `Lists the tasks that the service carries out by itself, newest first, with the first ${shownPromptCharactersMax} characters of their prompt and the JSON Schemas of inputs and output. start_run starts one.`,
  calls: ["listWorkflows"],
  effect: "reads",
  input: z.strictObject({
    search: z.string().min(1).max(255).optional().describe("Text in the name or prompt."),
    ...pageOfTool,
  }),
  output: z.object({
    workflows: z.array(ShownWorkflow).describe("The workflows."),
    total: z.int().describe("Number of workflows that match."),
  }),
});
