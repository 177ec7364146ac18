import { render } from "preact";
import "./styles/tokens.css";

const board = document.querySelector("#board");
if (board) render(<p>Petstore</p>, board);
