// Decodes for tests, as their child; by itself it does nothing.

import TexelPipeline

Isolation.serveIfAsked()
