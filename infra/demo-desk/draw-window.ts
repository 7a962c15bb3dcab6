import { drawProgramIcon } from "./draw-surroundings.ts";
import type { Canvas } from "./drawing/canvas.ts";
import type { Theme } from "./drawing/theme.ts";
import { titleBarHeight, windowSize } from "./order-form.ts";
import type { OrdersWindow } from "./orders-window.ts";
import type { PanelLook } from "./widgets/panel.ts";

const rightPart = 322;
const statusTop = windowSize.height - 28;

export function drawWindow(window: OrdersWindow, canvas: Canvas, look: PanelLook): void {
  const { theme, pointer } = look;
  const { menus, panel, dialog } = window;
  const behind = { ...look, pointer: dialog === undefined && !menus.isOpen ? pointer : undefined };
  drawFrame(canvas, theme);
  menus.drawBar(canvas, theme, behind.pointer);
  drawTexts(window, canvas, theme);
  panel.draw(canvas, behind);
  menus.drawPopup(canvas, theme, pointer);
  dialog?.draw(canvas, look);
}

function drawFrame(canvas: Canvas, theme: Theme): void {
  const { width, height } = windowSize;
  canvas.panel({ x: 0, y: 0, width, height }, theme.faintText, theme.window);
  canvas.fill({ x: 1, y: 3, width: width - 2, height: titleBarHeight - 3 }, theme.titleBar);
  canvas.fill({ x: 3, y: 1, width: width - 6, height: 2 }, theme.titleBar);
  drawProgramIcon(canvas.within({ x: 10, y: 8, width: 20, height: 20 }), theme);
  canvas.text({ x: 38, y: 9 }, "Orders", { color: theme.titleText, isBold: true });
}

function drawTexts(window: OrdersWindow, canvas: Canvas, theme: Theme): void {
  const { width } = windowSize;
  const heading = { color: theme.text, isBold: true };
  canvas.text({ x: 16, y: 74 }, "Customers", heading);
  canvas.text({ x: rightPart, y: 74 }, "New order", heading);
  canvas.text({ x: rightPart, y: 450 }, "Orders of this session", heading);
  if (window.confirmed !== undefined) {
    const text = `✓  Order ${window.confirmed} saved`;
    canvas.panel({ x: rightPart, y: 404, width: 300, height: 32 }, theme.good, theme.goodBack);
    canvas.text({ x: rightPart + 12, y: 411 }, text, { color: theme.good, isBold: true });
  }
  canvas.fill({ x: 1, y: statusTop, width: width - 2, height: 1 }, theme.border);
  const { kind, text } = window.status;
  canvas.text({ x: 16, y: statusTop + 5 }, text, { color: kind === "bad" ? theme.bad : theme.faintText });
}
