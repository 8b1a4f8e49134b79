"""Tools that search and read the tenant's documents and the articles on sales practice and on the assistant."""

from typing import Annotated

from pydantic import Field

from aisha.application.knowledge import documents
from aisha.application.knowledge import library as knowledge
from aisha.application.tooling import followups, tool, toolkit
from aisha.application.tooling.arguments.parameters import Limit
from aisha.application.tooling.context import ToolContext
from aisha.application.tooling.results import RecordList
from aisha.domain.deferred_model import DeferredModel
from aisha.domain.errors import NotFoundError
from aisha.domain.tools import FollowUp
from aisha.domain.wording import join_first


class DocumentPassage(DeferredModel):
    """A document that answers a question. `passage` is its best section as Markdown.

    `score` compares results of one search only.
    """

    id: str
    title: str
    description: str
    passage: str
    score: float


class ListedDocument(DeferredModel):
    """A document without its text. `uploaded` is false for an article that comes with the product."""

    id: str
    title: str
    about: str
    uploaded: bool


class Document(DeferredModel):
    """A whole document. `text` is Markdown without the title."""

    id: str
    title: str
    text: str


@toolkit(
    name="documents",
    description="Search and read the organisation's documents, and articles on sales practice and on the assistant.",
)
class Documents:
    @tool(
        guidance="Questions on how to sell, on house rules or on the assistant itself (how do I handle an objection, "
        "what are a stage's exit criteria, how often do we follow up) are answered from search_documents, not from "
        "memory.",
        examples=(
            "how do I handle a price objection",
            "what are the exit criteria of a stage",
            "how often should I follow up with a new lead",
            "which questions should I ask in a discovery call",
            "how do I write a good sales email",
            "what do our documents say about {query}",
            "what does our handbook say on {query}",
            "what is our policy on {query}",
            "search our documents for {query}",
            "best practice for {query}",
        ),
        typical_followups=(
            FollowUp("How do I handle a price objection?", "📖", "search_documents"),
            FollowUp("What are the exit criteria of a stage?", "📖", "search_documents"),
            followups.NEXT_STEPS,
        ),
    )
    def search_documents(
        self,
        context: ToolContext,
        query: Annotated[str, Field(min_length=1, max_length=500), "The question, in the user's words"],
        limit: Limit = 10,
    ) -> RecordList[DocumentPassage]:
        """Search the documents: the organisation's own, and articles on sales practice and on how this assistant works.

        The articles cover qualification, stages, follow-up, objections, discovery, emails, notes, forecasts, account
        plans, renewals, data quality, privacy, dates and confirmations. Returns the best section of each document; no
        CRM records.
        """
        passages = documents.library(context.ports.entries, context.principal.tenant).search(query)
        items = [_to_passage(passage) for passage in passages[:limit]]
        return RecordList[DocumentPassage](items=items, total=len(passages))

    @tool(
        examples=(
            "which documents do we have",
            "list our documents",
            "show me all documents",
            "what documents are there",
            "which articles can you read",
            "which handbooks have been uploaded",
        ),
        typical_followups=(
            FollowUp("How do I handle a price objection?", "📖", "search_documents"),
            FollowUp("What are the exit criteria of a stage?", "📖", "search_documents"),
            followups.NEXT_STEPS,
        ),
    )
    def list_documents(self, context: ToolContext, limit: Limit = 10) -> RecordList[ListedDocument]:
        """List the documents.

        The organisation's own come first, then the articles that come with the product.
        """
        library = documents.library(context.ports.entries, context.principal.tenant)
        uploads = {
            upload.article.id for upload in documents.list_uploads(context.ports.entries, context.principal.tenant)
        }
        # False sorts first, so uploads come before the articles of the product.
        articles = sorted(library.articles, key=lambda article: (article.id not in uploads, article.title))
        items = [
            ListedDocument(
                id=article.id, title=article.title, about=article.description, uploaded=article.id in uploads
            )
            for article in articles[:limit]
        ]
        return RecordList[ListedDocument](items=items, total=len(articles))

    @tool(
        examples=(
            "read me the whole article {document_id}",
            "open the document {document_id}",
            "show me the full text of the article {document_id}",
        ),
        typical_followups=(
            FollowUp("What is our follow-up cadence?", "📖", "search_documents"),
            followups.NEXT_STEPS,
            followups.PIPELINE,
        ),
    )
    def read_document(
        self,
        context: ToolContext,
        document_id: Annotated[
            str, Field(min_length=1, max_length=200), "Id of a document, as search_documents gives it, or its title"
        ],
    ) -> Document:
        """Read a document: all of it. Use it when a passage from search_documents is not enough."""
        library = documents.library(context.ports.entries, context.principal.tenant)
        # By id or title: a user names a document by its title, and a model may pass that on.
        article = library.find(document_id)
        if article is None:
            # Named, so that a model can choose without another call.
            titles = join_first([f"“{article.title}”" for article in library.articles])
            raise NotFoundError(f"There is no document called “{document_id}”", suggestion=f"There are: {titles}.")
        return Document.from_attributes(article)


def _to_passage(passage: knowledge.Passage) -> DocumentPassage:
    return DocumentPassage.from_attributes(passage.article, passage=passage.text, score=passage.score)
