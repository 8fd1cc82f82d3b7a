// Starts `cudalint server` for CUDA sources and hands everything else to the language client.
import { commands, ExtensionContext, window, workspace } from "vscode";
import { LanguageClient, LanguageClientOptions, ServerOptions } from "vscode-languageclient/node";

let client: LanguageClient | undefined;

async function start(): Promise<void> {
  const words = workspace.getConfiguration("cudalint").get<string[]>("command", ["cudalint", "server"]);
  const [command, ...args] = words;
  if (command === undefined) {
    void window.showErrorMessage("cudalint.command is empty; set it to [\"cudalint\", \"server\"]");
    return;
  }
  const server: ServerOptions = { command, args };
  const options: LanguageClientOptions = {
    documentSelector: [
      { scheme: "file", language: "cuda-cpp" },
      { scheme: "file", language: "cuda" },
      { scheme: "file", pattern: "**/*.{cu,cuh}" },
    ],
    synchronize: { fileEvents: workspace.createFileSystemWatcher("**/{cudalint.toml,pyproject.toml}") },
  };
  client = new LanguageClient("cudalint", "cudalint", server, options);
  try {
    await client.start();
  } catch (error) {
    client = undefined;
    void window.showErrorMessage(`cudalint: ${String(error)}; install it with: pip install 'cudalint[lsp]'`);
  }
}

export async function activate(context: ExtensionContext): Promise<void> {
  context.subscriptions.push(
    commands.registerCommand("cudalint.restart", async () => {
      await client?.stop();
      await start();
    }),
  );
  await start();
}

export async function deactivate(): Promise<void> {
  await client?.stop();
}
