const descriptions: Readonly<Record<string, string>> = {
  Health: "Whether the service, its database and the connected desktops respond.",
  Machines: "Virtual or physical desktops, connected through the driver.",
  Pools: "Named groups of machines.",
  Workflows: "Blueprints that define a task to execute.",
  "Workflow tags": "Labels of workflows; a workflow has at most one of a group.",
  "Workflow tag groups": "Groups of tags that exclude each other.",
  "Model configurations": "Models with the settings of their calls, for workflows to name.",
  "Prompt images": "Images that prompts name and show to the model.",
  Runs: "Executions of workflows on machines.",
  Schedules: "Times at which the service starts runs by itself.",
  "Run attachments": "Files that go into a run or come out of it.",
  Trajectories: "Recorded sequences of actions that replay a workflow.",
  Assistants: "Desktops and workflows as tools of an assistant, over the Model Context Protocol.",
  Recordings: "What a person does on a machine, as it becomes a trajectory.",
  Connections: "Links between machines and the service; they are managed automatically.",
  "Live channel": "Hints of what changes, over a WebSocket, for people who look.",
  "Provider credentials": "An organization's own keys for providers of AI models.",
  "API keys": "An organization's own keys; `admin` is all of `write`, and these.",
  Webhooks: "Addresses that events of runs, machines and schedules are sent to, and the deliveries.",
  "Webhook events": "What the service sends to endpoints; a client receives these and calls none of them.",
  Computer: "Screen, mouse, keyboard, files and shell of one desktop, through its tunnel.",
  "Request log": "Calls to desktops, without what was in them.",
  "Audit events": "Changes of resources: who made them, when and from where.",
  Driver: "Permissions of drivers and of their peers; the credentials are in the bodies.",
  Documentation: "The API's documents and the reference page.",
  Console: "The page for people, which calls this API.",
};

/** A tag without a description comes last, and fails a test. */
export function tagObjects(names: readonly string[]): { name: string; description?: string }[] {
  const known = Object.entries(descriptions)
    .filter(([name]) => names.includes(name))
    .map(([name, description]) => ({ name, description }));
  return [...known, ...names.filter((name) => !(name in descriptions)).map((name) => ({ name }))];
}
