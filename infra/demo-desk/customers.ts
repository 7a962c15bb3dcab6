import type { DeskOptions } from "./desk-options.ts";

const places = [
  ["Alice Johnson", "Berlin"],
  ["Bruno Marques", "Lisbon"],
  ["Chloé Laurent", "Lyon"],
  ["Daniel Weiß", "Vienna"],
  ["Elena Popescu", "Cluj"],
  ["Frida Nilsson", "Malmö"],
  ["George Adams", "Leeds"],
  ["Hana Novák", "Brno"],
  ["Ivan Petrov", "Varna"],
  ["Julia Schmidt", "Bremen"],
  ["Karim Haddad", "Tunis"],
  ["Lucía Gómez", "Sevilla"],
  ["Marek Zieliński", "Łódź"],
  ["Nora Byrne", "Cork"],
  ["Oskar Lindt", "Zürich"],
  ["Paula Costa", "Porto"],
  ["Quentin Roy", "Namur"],
  ["Rosa Bianchi", "Turin"],
  ["Stefan Jansen", "Utrecht"],
  ["Tessa Møller", "Aarhus"],
  ["Umar Rahman", "Bradford"],
  ["Vera Horvat", "Zagreb"],
  ["William Scott", "Glasgow"],
  ["Zoe Papadaki", "Patras"],
] as const;

const beginnings = ["Ke", "Ko", "Ka", "Ku"];
const endings = ["ller", "hler", "lter", "mmer", "ster", "iser"];

export interface Customer {
  readonly name: string;
  readonly city: string;
  readonly code: string;
}

/** In the reordered list, this many customers move from its end to its start. */
const rotatedBy = 5;

/** `similar` rows differ only in a part of their names, `identical` ones in nothing. */
export function customersOf(rows: DeskOptions["rows"]): readonly Customer[] {
  if (rows === "reordered") {
    const usual = customersOf("different");
    return [...usual.slice(-rotatedBy), ...usual.slice(0, -rotatedBy)];
  }
  return places.map(([name, city], index) => {
    if (rows === "different") return { name, city, code: `C-${String(101 + index)}` };
    const ending = endings[Math.floor(index / beginnings.length)] ?? "";
    const surname = rows === "similar" ? `${beginnings[index % beginnings.length]}${ending}` : "Keller";
    return { name: `Martin ${surname}`, city: "Berlin", code: "C-101" };
  });
}
