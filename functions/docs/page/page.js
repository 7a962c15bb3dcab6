// Swagger UI's styles have a dark form, which its bundle alone never switches on.
const dark = window.matchMedia("(prefers-color-scheme: dark)");
const followScheme = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
followScheme();
dark.addEventListener("change", followScheme);

// Browsers run this file as it is. Without `validatorUrl: null`, the page would show the document to swagger.io.
const ui = window.SwaggerUIBundle({
  url: "/openapi.json",
  dom_id: "#reference",
  validatorUrl: null,
  deepLinking: true,
  filter: true,
  // Swagger UI renders only open sections; open ones would keep operations that are out of sight in the document.
  docExpansion: "none",
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  persistAuthorization: false,
  onComplete: showIndex,
});

/** Headings and operations of the document, linked to where the page shows them. */
function showIndex() {
  const document_ = ui.specSelectors.specJson().toJS();
  const byTag = new Map(document_.tags.map(({ name }) => [name, []]));
  for (const item of Object.values(document_.paths)) {
    for (const [method, operation] of Object.entries(item)) {
      const [tag] = operation.tags ?? [];
      byTag.get(tag)?.push({ method, id: operation.operationId, summary: operation.summary });
    }
  }
  document.getElementById("index").replaceChildren(...[...byTag].map(sectionOf));
}

function sectionOf([tag, operations]) {
  const section = document.createElement("details");
  const title = document.createElement("summary");
  title.textContent = tag;
  section.append(title, ...operations.map((operation) => linkTo(tag, operation)));
  return section;
}

function linkTo(tag, { method, id, summary }) {
  const link = document.createElement("a");
  link.href = `#/${encodeURIComponent(tag)}/${id}`;
  const verb = document.createElement("span");
  verb.className = `verb verb-${method}`;
  verb.textContent = method === "delete" ? "DEL" : method.toUpperCase();
  link.append(verb, summary);
  link.addEventListener("click", (event) => {
    event.preventDefault();
    window.history.replaceState(null, "", link.href);
    ui.layoutActions.show(["operations-tag", tag], true);
    ui.layoutActions.show(["operations", tag, id], true);
    // The page is drawn by then.
    window.requestAnimationFrame(() => {
      const target = document.getElementById(`operations-${tag.replace(/\s/g, "_")}-${id}`);
      target?.scrollIntoView({ block: "start" });
    });
  });
  return link;
}
