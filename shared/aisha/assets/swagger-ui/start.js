// Shows the API's description. A token that was entered under "Authorize" stays in this browser.
window.ui = SwaggerUIBundle({
  url: "./openapi.json",
  dom_id: "#api",
  deepLinking: true,
  docExpansion: "list",
  defaultModelsExpandDepth: 0,
  defaultModelRendering: "example",
  persistAuthorization: true,
  tryItOutEnabled: true,
  validatorUrl: null,
});
