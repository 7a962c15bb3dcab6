export interface Variation {
  /** Customers, in this order. @default customers */
  readonly rows?: readonly string[] | undefined;
  /** Delay of typed letters, in milliseconds. */
  readonly lateMs?: number;
  /** Delay of a save, in milliseconds. */
  readonly slowMs?: number;
  readonly front?: "popup" | "cookies";
  readonly dark?: boolean;
  readonly zoom?: number;
  readonly moved?: number;
  /**
   * The result of a save: it is not shown; nothing is saved, and an error, a field's problem or another outcome is
   * shown; or the button does nothing.
   */
  readonly save?: "unseen" | "fails" | "invalid" | "draft" | "dead" | "disabled";
  readonly spins?: boolean;
  /** The caret is shown, which comes and goes. */
  readonly blinks?: boolean;
  readonly scrolled?: number;
  readonly german?: boolean;
  readonly prefilled?: string;
  /** A click gives the keyboard to the field for the amount, whichever was clicked. */
  readonly losesFocus?: boolean;
  readonly notice?: boolean;
  readonly swapped?: boolean;
}

export const customers = [
  "Anna Weber",
  "Bruno Keller",
  "Clara Lindt",
  "David Moser",
  "Eva Brandt",
  "Felix Vogel",
] as const;

const english = {
  title: "Invoices",
  reference: "Reference",
  amount: "Amount",
  save: "Save",
  clear: "New",
};
const german: typeof english = {
  title: "Rechnungen",
  reference: "Zeichen",
  amount: "Betrag",
  save: "Sichern",
  clear: "Neu",
};

export function formPage(given: Variation): string {
  const words = given.german ? german : english;
  const rows = (given.rows ?? customers)
    .map((name) => `<tr data-name="${name}"><td>${name}</td><td>No. ${numberOf(name)}</td></tr>`)
    .join("");
  const buttons = [
    `<button id="save"${given.save === "disabled" ? " disabled" : ""}>${words.save}</button>`,
    `<button id="new">${words.clear}</button>`,
  ];
  return `<!doctype html><meta charset="utf-8"><title>${words.title}</title>
<style>${style(given)}</style>
<main>
  <h1>${words.title}</h1>
  ${given.notice ? "<p>The office is closed on Friday. Please send what is due before.</p>" : ""}
  <table id="rows">${rows}</table>
  <p id="chosen">No customer</p>
  <label>${words.reference}<input id="reference" value="${given.prefilled ?? ""}"></label>
  <label>${words.amount}<input id="amount"></label>
  <div>${given.swapped ? buttons.toReversed().join("") : buttons.join("")}</div>
  <p id="outcome"></p>
  <ul id="saved"></ul>
  ${given.spins ? '<i id="spinner"></i>' : ""}
</main>
${front(given)}
<script>const given = ${JSON.stringify(given)};${script}</script>`;
}

function numberOf(name: string): number {
  return 200 + 37 * Math.max(0, (customers as readonly string[]).indexOf(name));
}

function front({ front: kind }: Variation): string {
  if (kind === undefined) return "";
  const says = kind === "popup" ? "What is new in this version" : "This page stores cookies";
  return `<aside class="${kind}"><p>${says}</p><button id="close">Close</button></aside>`;
}

function style({ dark, zoom = 100, moved = 0, blinks = false }: Variation): string {
  const [ground, ink, line] = dark ? ["#1e1e1e", "#e0e0e0", "#555"] : ["#fff", "#222", "#999"];
  return `
    * { font-family: "DejaVu Sans", "Liberation Sans", sans-serif; caret-color: ${blinks ? "auto" : "transparent"}; }
    body { background: ${ground}; color: ${ink}; margin: 0; height: 1200px; font-size: ${zoom}%; overflow: hidden; }
    main { position: absolute; left: ${120 + moved}px; top: ${30 + moved}px; width: 900px; }
    h1 { font-size: 1.4em; margin: 0 0 8px; }
    table { border-collapse: collapse; width: 620px; }
    td { border: 1px solid ${line}; padding: 5px 8px; cursor: default; user-select: none; }
    tr.chosen td { background: #bcd7f5; color: #222; }
    label { display: block; margin: 10px 0; }
    input { display: block; width: 430px; height: 26px; box-sizing: border-box; font-size: 100%;
      background: ${ground}; color: ${ink}; border: 1px solid ${line}; }
    button { font-size: 100%; padding: 4px 18px; margin-right: 12px; }
    #outcome.good { background: #dff0d8; color: #1b5e20; padding: 6px; width: 430px; }
    #outcome.bad { background: #f7d4d4; color: #8a1c1c; padding: 6px; width: 430px; }
    aside { position: fixed; background: #fffbe6; color: #222; border: 2px solid #b58900; padding: 16px; }
    .popup { left: 150px; top: 60px; width: 500px; height: 420px; box-shadow: 0 0 0 2000px rgba(0, 0, 0, 0.4); }
    .cookies { left: 0; right: 0; bottom: 0; height: 60px; }
    #spinner { position: absolute; left: 780px; top: 10px; width: 24px; height: 24px;
      border: 4px solid ${line}; border-top-color: ${ink}; border-radius: 50%; animation: turn 0.7s linear infinite; }
    @keyframes turn { to { transform: rotate(360deg); } }`;
}

const script = `
  const find = (id) => document.getElementById(id);
  let customer = "";
  const send = (path, body) => navigator.sendBeacon(path, body);
  addEventListener("mousedown", ({ target }) => {
    const clicked = target.closest("tr, button, input");
    send("/clicked", clicked?.dataset.name ?? clicked?.id ?? "page");
  }, true);
  scrollTo(0, given.scrolled ?? 0);
  for (const row of document.querySelectorAll("tr")) {
    row.addEventListener("mousedown", () => {
      for (const other of document.querySelectorAll("tr")) other.className = other === row ? "chosen" : "";
      customer = row.dataset.name;
      find("chosen").textContent = "Invoice for " + customer;
    });
  }
  for (const field of document.querySelectorAll("input")) {
    if (given.losesFocus) field.addEventListener("focus", () => setTimeout(() => find("amount").focus(), 30));
    if (!given.lateMs) continue;
    field.addEventListener("keydown", (event) => {
      if (event.key.length !== 1) return;
      event.preventDefault();
      setTimeout(() => { field.value += event.key; }, given.lateMs);
    });
  }
  const show = (kind, text) => { find("outcome").className = kind; find("outcome").textContent = text; };
  find("save").addEventListener("click", async () => {
    if (given.save === "dead") return;
    const order = { customer, reference: find("reference").value, amount: find("amount").value };
    const refusal = {
      fails: "It could not be saved. Try again later.",
      invalid: "Amount: it has to be a whole number.",
      draft: "Kept as a draft, which nobody is sent.",
    }[given.save];
    if (refusal !== undefined) return show("bad", refusal);
    await fetch("/save", { method: "POST", body: JSON.stringify(order) });
    if (given.save === "unseen") return;
    setTimeout(() => {
      show("good", "The invoice was saved");
      const item = document.createElement("li");
      item.textContent = order.amount + " for " + order.customer;
      find("saved").append(item);
    }, given.slowMs ?? 0);
  });
  find("new").addEventListener("click", () => {
    customer = "";
    for (const field of document.querySelectorAll("input")) field.value = "";
    for (const row of document.querySelectorAll("tr")) row.className = "";
    find("chosen").textContent = "No customer";
    show("", "");
    find("saved").replaceChildren();
    document.activeElement.blur();
  });
  find("close")?.addEventListener("click", () => document.querySelector("aside").remove());
`;

export const anotherOrder = "with its list in another order";

/** Pages on which a run does all of its work or says that it has not, by their names. */
export const variations: readonly (readonly [string, Variation])[] = [
  ["as it was recorded", {}],
  ["with letters 100 ms late", { lateMs: 100 }],
  ["with letters 200 ms late", { lateMs: 200 }],
  ["with letters 1 s late", { lateMs: 1_000 }],
  ["with letters 3 s late", { lateMs: 3_000 }],
  ["that shows what was saved 2 s late", { slowMs: 2_000 }],
  ["under a popup", { front: "popup" }],
  ["with a bar about cookies", { front: "cookies" }],
  ["in another theme", { dark: true }],
  ["with larger letters", { zoom: 125 }],
  ["that lies elsewhere", { moved: 30 }],
  [anotherOrder, { rows: customers.toReversed() }],
  ["with a customer more", { rows: ["Abel Amsel", ...customers] }],
  ["that does not show that it has saved", { save: "unseen" }],
  ["that does not save, and says so", { save: "fails" }],
  ["that finds something wrong with a field", { save: "invalid" }],
  ["with another outcome", { save: "draft" }],
  ["with a button that does nothing", { save: "dead" }],
  ["with a disabled button", { save: "disabled" }],
  ["on which something moves", { spins: true }],
  ["with a caret that blinks", { blinks: true }],
  ["that is scrolled", { scrolled: 40 }],
  ["in another language", { german: true }],
  ["with a text in its field", { prefilled: "Old text" }],
  ["that gives the keyboard to another field", { losesFocus: true }],
  ["with a notice above", { notice: true }],
  ["with its buttons in another order", { swapped: true }],
];
