"""Addresses of the documents: asked for by organisers, made by the worker."""

from django.urls import path

from tournament.documents.views import documents

urlpatterns = [
    path("<slug:slug>/request/", documents.document_request, name="document_request"),
    path("<slug:slug>/<int:job_id>/", documents.document_status, name="document_status"),
    path("<slug:slug>/<int:job_id>/file/", documents.document_file, name="document_file"),
]
