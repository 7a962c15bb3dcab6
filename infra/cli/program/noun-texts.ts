/** What programs call and people do not, which `das --help` leaves out. */
export const unlistedNouns: ReadonlySet<string> = new Set([
  "assistants",
  "caller",
  "console",
  "driver",
  "live-tickets",
]);

/** One line for each noun in `das --help`. */
export const nounTexts: Readonly<Record<string, string>> = {
  attachments: "The files of runs.",
  audit: "Who changed what.",
  assistants: "Messages of the Model Context Protocol; `das mcp` brings them.",
  caller: "The key or session that calls.",
  connections: "Drivers' connections.",
  console: "The files of the console's page.",
  docs: "The service's documents.",
  driver: "What drivers call to connect.",
  health: "The state of the service and of machines.",
  keys: "API keys.",
  "live-tickets": "Tickets for the live channel.",
  logs: "The calls to desktops.",
  machines: "Desktops: their state, screen, mouse, keyboard, files and shell.",
  models: "Configurations of models.",
  pools: "Groups of machines.",
  "prompt-images": "Images in prompts.",
  providers: "The keys of models' providers.",
  recordings: "What a person does on a machine, recorded.",
  runs: "Runs of workflows, their steps and results.",
  schedules: "Runs at set times.",
  settings: "Settings of the organization.",
  "tag-groups": "Groups of tags.",
  tags: "Tags of workflows.",
  trajectories: "Recorded ways through a workflow.",
  usage: "What was used.",
  webhooks: "Endpoints that events are sent to, and the deliveries.",
  workflows: "What is automated.",
};
